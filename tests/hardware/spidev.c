/* Put before the C library (LD_PRELOAD), so that rpi_ws281x's own C code believes in a Pi: /dev/spidev0.0 is a file of
 * what was sent (PEGBOARD_SPI: length and speed, then the bytes), /dev/gpiomem is memory, /proc/cpuinfo tells the
 * revision PEGBOARD_REVISION. A transfer longer than PEGBOARD_BUFSIZ fails as spidev's does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int spi = -1;
static unsigned speed;

int open(const char *path, int flags, ...) {
    static int (*real)(const char *, int, ...);
    va_list more;
    va_start(more, flags);
    int mode = va_arg(more, int);
    va_end(more);
    if (!real) real = dlsym(RTLD_NEXT, "open");
    if (!strcmp(path, "/dev/spidev0.0")) return spi = real("/dev/null", O_RDWR);
    if (!strcmp(path, "/dev/gpiomem")) {
        int memory = memfd_create("gpiomem", 0);
        return ftruncate(memory, 0x100000000L) ? -1 : memory;
    }
    return real(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    static FILE *(*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "fopen");
    if (strcmp(path, "/proc/cpuinfo")) return real(path, mode);
    static char said[64];
    snprintf(said, sizeof said, "Revision\t: %s\n", getenv("PEGBOARD_REVISION"));
    return fmemopen(said, strlen(said), "r");
}

int ioctl(int fd, unsigned long request, ...) {
    static int (*real)(int, unsigned long, ...);
    va_list more;
    va_start(more, request);
    void *given = va_arg(more, void *);
    va_end(more);
    if (!real) real = dlsym(RTLD_NEXT, "ioctl");
    if (fd != spi || spi < 0) return real(fd, request, given);
    if (request == SPI_IOC_WR_MAX_SPEED_HZ) speed = *(unsigned *)given;
    if (request != SPI_IOC_MESSAGE(1)) return 0;
    struct spi_ioc_transfer *sent = given;
    const char *bufsiz = getenv("PEGBOARD_BUFSIZ");
    if (bufsiz && sent->len > strtoul(bufsiz, 0, 10)) return errno = EMSGSIZE, -1;
    FILE *file = fopen(getenv("PEGBOARD_SPI"), "a");
    fprintf(file, "%u %u ", sent->len, speed);
    for (unsigned at = 0; at < sent->len; at++) fprintf(file, "%02x", ((unsigned char *)(unsigned long)sent->tx_buf)[at]);
    fprintf(file, "\n");
    fclose(file);
    return sent->len;
}
