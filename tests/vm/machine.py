"""A Debian machine of another processor in qemu, with an agent that runs the host's commands as root."""

import base64
import select
import shlex
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType


class MachineError(RuntimeError):
    """The machine does not boot, does not answer, or a command in it failed."""


def expect(holds: bool, expected: str, got: str) -> None:
    """Check a scenario's condition.

    Raises:
        MachineError: if it does not hold.
    """
    if not holds:
        raise MachineError(f"expected {expected}, got {got}")


class Machine:
    """One boot of the machine. The end of its block is a power cut: qemu is killed without a shutdown of the guest."""

    def __init__(
        self, cache: Path, console: Path, blockdevs: Sequence[str], *, memory_mb: int = 512, append: str = ""
    ) -> None:
        """Start qemu.

        Args:
            cache: the folder with Image and table.dtb.
            console: the file for the guest's console.
            blockdevs: options of -blockdev, with the node names disk0, disk1, ... for the guest's disks.
            memory_mb: the machine's memory.
            append: words for the kernel's command line.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="farklecrib-vm-")
        self._path = Path(self._folder.name) / "agent"
        self._number = 0
        self._agent: socket.socket | None = None
        self._rest = b""
        disks = [word for each in blockdevs for word in ("-blockdev", each)]
        count = sum("node-name=disk" in each for each in blockdevs)
        # blklogwrites adds to the vectors of a write; merged writes would have more of them than the system takes.
        device = "virtio-blk-pci,write-cache=on,request-merging=off"
        disks += [word for n in range(count) for word in ("-device", f"{device},drive=disk{n}")]
        self._process = subprocess.Popen(
            ["qemu-system-aarch64", "-M", "virt", "-accel", "tcg,thread=multi", "-cpu", "cortex-a72", "-smp", "2",
             "-m", str(memory_mb), "-kernel", str(cache / "linux/arch/arm64/boot/Image"),
             "-dtb", str(cache / "table.dtb"), "-append", f"root=/dev/vda rw console=ttyAMA0 panic=-1 {append}",
             *disks, "-nic", "none", "-display", "none", "-monitor", "none", "-no-reboot",
             "-serial", f"file:{console}", "-device", "virtio-rng-pci", "-device", "virtio-serial-pci",
             "-chardev", f"socket,id=agent,path={self._path},server=on,wait=off",
             "-device", "virtserialport,chardev=agent,name=vm"],
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def __enter__(self) -> "Machine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    def wait_ready(self, timeout_s: float = 600) -> float:
        """Wait until the agent answers. Return the seconds that took.

        Raises:
            MachineError: if it does not in time.
        """
        began = time.monotonic()
        while time.monotonic() - began < timeout_s:
            with suppress(OSError, MachineError):
                if self.ask("true", 10, 5)[0] == 0:
                    return time.monotonic() - began
            if self._process.poll() is not None:
                raise MachineError(f"expected a running machine, got qemu's status {self._process.returncode}")
            time.sleep(1)
        raise MachineError(f"expected the agent to answer within {timeout_s:g} s, got none")

    def ask(self, script: str, timeout_s: float = 300, grace_s: float = 60) -> tuple[int, str]:
        """Run a shell script as root; return its exit status, 124 after its time-out, and its output.

        Raises:
            MachineError: if the machine does not answer.
        """
        if self._agent is None:
            agent = socket.socket(socket.AF_UNIX)
            try:
                agent.connect(str(self._path))
            except OSError:
                agent.close()
                raise
            self._agent = agent
        self._number += 1
        text = base64.b64encode(script.encode()).decode()
        self._agent.sendall(f"{self._number} {timeout_s:g} {text}\n".encode())
        until_s = time.monotonic() + timeout_s + grace_s
        while (left_s := until_s - time.monotonic()) > 0:
            line, found, rest = self._rest.partition(b"\n")
            if found:
                self._rest = rest
                number, status, output = (line.decode().strip() + " ").split(" ")[:3]
                if number == str(self._number):
                    return int(status), base64.b64decode(output).decode(errors="replace")
                continue
            if not select.select([self._agent], [], [], left_s)[0]:
                break
            received = self._agent.recv(1 << 16)
            if not received:
                break
            self._rest += received
        self._agent.close()
        self._agent, self._rest = None, b""
        raise MachineError(f"expected an answer within {timeout_s + grace_s:g} s to {script[:60]!r}")

    def run(self, script: str, timeout_s: float = 300) -> str:
        """Run a shell script as root and return its output.

        Raises:
            MachineError: if its exit status is not 0.
        """
        status, output = self.ask(f"set -eu\n{script}", timeout_s)
        if status:
            said = " ".join(output.split())[-600:]
            raise MachineError(f"expected status 0, got {status} of {script[:200]!r}: {said}")
        return output

    def wait(self, script: str, timeout_s: float, every_s: float = 2) -> str:
        """Run a script until its status is 0; return its output.

        Raises:
            MachineError: if it does not succeed in time.
        """
        until_s = time.monotonic() + timeout_s
        while True:
            status, output = self.ask(script, min(timeout_s, 120))
            if status == 0:
                return output
            if time.monotonic() > until_s:
                raise MachineError(f"expected {script[:200]!r} to succeed in {timeout_s:g} s, got {output[-400:]!r}")
            time.sleep(every_s)

    def write(self, path: str, text: str) -> None:
        """Write a file in the machine."""
        data = base64.b64encode(text.encode()).decode()
        self.run(f"mkdir -p $(dirname {shlex.quote(path)})\necho {data} | base64 -d >{shlex.quote(path)}")

    def cut(self) -> None:
        """Kill qemu, like a power cut."""
        if self._agent is not None:
            self._agent.close()
            self._agent = None
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def wait_off(self, timeout_s: float) -> float:
        """Wait until the machine has switched itself off. Return the seconds that took.

        Raises:
            MachineError: if it stays on.
        """
        began = time.monotonic()
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired as error:
            raise MachineError(
                f"expected the machine to switch off within {timeout_s:g} s, got one that runs"
            ) from error
        return time.monotonic() - began

    def power_off(self, timeout_s: float = 240) -> None:
        """Shut the machine down by systemd and wait for its end; cut the power if it takes too long."""
        with suppress(MachineError, OSError):
            self.ask("systemctl --no-block poweroff", 30)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout_s)
        self.cut()
