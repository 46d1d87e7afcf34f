"""Send 48 bytes by spidev. Print the number of sent bytes and the module's buffer size."""

import ctypes
import fcntl
import os
import struct
from pathlib import Path

SPI_IOC_WR_MODE, SPI_IOC_MESSAGE_1 = 0x40016B01, 0x40206B00
SPEED_HZ = 1_000_000

data = ctypes.create_string_buffer(bytes(range(48)))
device = os.open("/dev/spidev0.0", os.O_RDWR)
fcntl.ioctl(device, SPI_IOC_WR_MODE, struct.pack("B", 0))
message = struct.pack("QQIIHBBBBBB", ctypes.addressof(data), 0, 48, SPEED_HZ, 0, 8, 0, 0, 0, 0, 0)
print(fcntl.ioctl(device, SPI_IOC_MESSAGE_1, bytearray(message)))
print(Path("/sys/module/spidev/parameters/bufsiz").read_text().strip())
