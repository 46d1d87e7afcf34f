"""Run the program's command line with patience for an emulated eye, which is much slower than any Pi."""

from companion.cli.main import main
from companion.devices import eye_process

eye_process.START_S = eye_process.SILENCE_S = 900.0

if __name__ == "__main__":
    main()
