"""A progress bar on standard error, for a command that takes long."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(words: str) -> Iterator[Callable[[float], None]]:
    """Yield a function that takes the share that is done, from 0 to 1. The bar appears with the first share.

    Without a terminal a line is written when the work begins and one at each tenth.
    """
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(words, total=1.0, visible=False)
            yield lambda share: progress.update(task, completed=share, visible=True)
        return
    tenth = -1

    def tell_share(share: float) -> None:
        nonlocal tenth
        if int(share * 10) > tenth:
            tenth = int(share * 10)
            print(f"{words}: {tenth * 10} %", file=sys.stderr, flush=True)

    yield tell_share
