"""Trees of files as on Pis that are set up by hardware.md: /proc, /sys, /dev, /etc, /boot/firmware.

Their form is that of Raspberry Pi OS (64-bit) with kernel 6.6 (Bookworm) and 6.12 (Trixie), taken from the kernel's and
the system's documentation and sources. None was recorded on a Pi.
"""

from pathlib import Path

from companion.checkup.raspberry_pi import Family, config_lines

MODELS = {
    Family.ZERO_2_W: "Raspberry Pi Zero 2 W Rev 1.0",
    Family.PI_3: "Raspberry Pi 3 Model B Plus Rev 1.3",
    Family.PI_4: "Raspberry Pi 4 Model B Rev 1.4",
    Family.PI_5: "Raspberry Pi 5 Model B Rev 1.0",
}
RELEASES = {
    "bookworm": ("Debian GNU/Linux 12 (bookworm)", "12"),
    "trixie": ("Debian GNU/Linux 13 (trixie)", "13"),
}
PYTHONS = {"bookworm": (3, 11), "trixie": (3, 13)}

CONFIG_TXT = """\
# For more options and information see
# http://rptl.io/configtxt
dtparam=audio=on
camera_auto_detect=1
display_auto_detect=1
auto_initramfs=1
dtoverlay=vc4-kms-v3d
max_framebuffers=2
disable_fw_kms_setup=1
arm_64bit=1
disable_overscan=1
arm_boost=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=4c4e106f-02 rootfstype=ext4 fsck.repair=yes rootwait"
CARDS = """\
 0 [Device         ]: USB-Audio - USB2.0 Device
                      Generic USB2.0 Device at usb-0000:01:00.0-1.2, full speed
 1 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
"""
HDMI_FIRST = """\
 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Device         ]: USB-Audio - USB2.0 Device
                      Generic USB2.0 Device at usb-0000:01:00.0-1.2, full speed
"""
ROUTES = """\
Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
wlan0	00000000	0107A8C0	0003	0	0	600	00000000	0	0	0
wlan0	0007A8C0	00000000	0001	0	0	600	00FFFFFF	0	0	0
"""
ROUTER = """\
IP address       HW type     Flags       HW address            Mask     Device
192.168.7.1      0x1         0x2         aa:bb:cc:00:00:01     *        wlan0
192.168.7.44     0x1         0x0         00:00:00:00:00:00     *        wlan0
"""
NEIGHBOURS = f"{ROUTER}192.168.7.20     0x1         0x2         aa:bb:cc:00:00:02     *        wlan0\n"
"""Forms of /proc/net/route and /proc/net/arp; a neighbour without the flag 0x2 has not answered."""

PLAYER = "annika"
HOSTNAME = "annikas-pub-pi"


def put(root: Path, name: str, text: str = "") -> Path:
    """Write one file of a tree."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def fresh_tree(root: Path, family: Family, release: str) -> Path:
    """Write the tree of a Pi fresh from the Imager, with a camera on its ribbon cable."""
    pretty, number = RELEASES[release]
    put(root, "proc/device-tree/model", f"{MODELS[family]}\0")
    put(root, "proc/device-tree/serial-number", "10000000deadbeef\0")
    put(root, "proc/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n/dev/mmcblk0p1 /boot/firmware vfat rw 0 0\n")
    put(root, "proc/1/comm", "systemd\n")
    (root / "proc/1/fd").mkdir()
    put(
        root,
        "etc/os-release",
        f'PRETTY_NAME="{pretty}"\nVERSION_ID="{number}"\nVERSION_CODENAME={release}\nID=debian\n',
    )
    put(root, "proc/net/route", ROUTES)
    put(root, "proc/net/arp", NEIGHBOURS)
    put(root, "etc/hostname", f"{HOSTNAME}\n")
    put(root, "etc/passwd", f"root:x:0:0:root:/root:/bin/bash\n{PLAYER}:x:1000:1000:,,,:/home/{PLAYER}:/bin/bash\n")
    groups = "".join(f"{name}:x:{n}:{PLAYER}\n" for n, name in enumerate(("audio", "video", "gpio", "spi"), 20))
    put(root, "etc/group", f"root:x:0:\n{groups}{PLAYER}:x:1000:\n")
    put(root, "boot/firmware/config.txt", CONFIG_TXT)
    put(root, "boot/firmware/cmdline.txt", f"{CMDLINE}\n")
    put(root, "run/systemd/timesync/synchronized")
    put(root, "sys/bus/i2c/devices/10-001a/name", "imx708\n")
    put(root, "sys/bus/i2c/devices/10-000c/name", "dw9807\n")
    soc = "soc@107c000000" if family is Family.PI_5 else "soc"
    put(root, f"sys/devices/platform/{soc}/{soc}:firmware/get_throttled", "0\n")
    for device in ("media0", "media1", "video0", "video1", "gpiochip0", "dma_heap/linux,cma"):
        put(root, f"dev/{device}")
    put(root, "usr/bin/espeak-ng")
    put(root, "usr/bin/aplay")
    put(root, "proc/asound/cards", CARDS)
    put(root, "dev/pio0" if family is Family.PI_5 else "dev/gpiomem")
    return root


def pi_tree(root: Path, family: Family, release: str) -> Path:
    """Write the tree of a Pi without faults."""
    fresh_tree(root, family, release)
    put(root, "boot/firmware/config.txt", CONFIG_TXT + "".join(f"{line}\n" for line in config_lines(family)))
    if family is not Family.PI_5:
        put(root, "boot/firmware/cmdline.txt", f"{CMDLINE} spidev.bufsiz=32768\n")
        put(root, "sys/module/spidev/parameters/bufsiz", "32768\n")
        put(root, "dev/spidev0.0")
        put(root, "dev/spidev0.1")
    with (root / "etc/passwd").open("a", encoding="utf-8") as users:
        users.write("farklecrib:x:995:995:Farkle Crib:/var/lib/farklecrib:/usr/sbin/nologin\n")
    group = root / "etc/group"
    lines = group.read_text(encoding="utf-8").splitlines()
    shared = ("audio:", "video:", "gpio:", "spi:")
    group.write_text(
        "".join(f"{line},farklecrib\n" if line.startswith(shared) else f"{line}\n" for line in lines), encoding="utf-8"
    )
    return root
