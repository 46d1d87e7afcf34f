"""WAV files in place of tones: read with a check, and made quieter.

In memory a file is its 44 bytes of head and 16-bit samples, as the standard library's `wave` writes it.
"""

import io
import wave
from array import array
from pathlib import Path

from pegboard.errors import DriverError

HEAD = 44
LONGEST_S, LOWEST_HZ, HIGHEST_HZ = 10, 8_000, 48_000


def read_wav(file: Path) -> bytes:
    """Return the first ten seconds of a WAV file of 16-bit PCM with one or two channels.

    Raises:
        DriverError: if the file is another one, or cannot be read.
    """
    try:
        with wave.open(str(file), "rb") as read:
            bits, channels, rate = 8 * read.getsampwidth(), read.getnchannels(), read.getframerate()
            got = f"{bits} bits, channels: {channels}, {rate} Hz"
            if bits == 16 and channels <= 2 and LOWEST_HZ <= rate <= HIGHEST_HZ:
                with wave.open(written := io.BytesIO(), "wb") as write:
                    write.setparams(read.getparams())
                    write.writeframes(read.readframes(LONGEST_S * rate))
                return written.getvalue()
    except (OSError, EOFError, RuntimeError, wave.Error) as error:  # a cut-off file may raise any of them
        got = str(error) or "its end"
    wanted = f"a WAV file of 16-bit PCM, one or two channels, {LOWEST_HZ} to {HIGHEST_HZ} Hz"
    raise DriverError(f"{file}: expected {wanted}, got {got}")


def at_volume(wav: bytes, volume: float) -> bytes:
    """Return a WAV file with its samples at a volume from 0 to 1."""
    samples = array("h", wav[HEAD : len(wav) // 2 * 2])  # a file that was cut off may have half a sample
    return wav[:HEAD] + array("h", [int(volume * sample) for sample in samples]).tobytes()
