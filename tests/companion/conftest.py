"""A fixture for all tests of the commands: the program, run in this process."""

import io

import pytest
from asked import Answered, Run

from companion.cli.main import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the program in this process, as the console script calls it."""

    def running(*words: object, given: str | bytes = "") -> Answered:
        data = given if isinstance(given, bytes) else given.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        monkeypatch.setattr("sys.argv", ["farklecrib", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Answered(ended.value.code or 0, said.out, said.err)  # type: ignore[arg-type]

    return running
