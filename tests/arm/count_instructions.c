/* A plugin of QEMU's user emulation that counts instructions: at each close(-4242) of the emulated program it writes a
 * line with the number of instructions that all threads have run so far. The declarations are those of QEMU's
 * documented plugin interface, version 1, of which Debian packages no header. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#define MARK (-4242)
#define CLOSE 57 /* numbers of system calls in Linux on arm64 */
#define WRITE 64

struct qemu_plugin_tb;
typedef void (*translated)(uint64_t plugin, struct qemu_plugin_tb *block);
typedef void (*called)(uint64_t plugin, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
                       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t plugin, translated callback);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t plugin, called callback);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *counter, uint64_t add);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);

int qemu_plugin_version = 1;
static uint64_t instructions;
static int marks_by_write;

static void on_block(uint64_t plugin, struct qemu_plugin_tb *block)
{
    (void)plugin;
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &instructions, qemu_plugin_tb_n_insns(block));
}

static void on_call(uint64_t plugin, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                    uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)plugin, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number == (marks_by_write ? WRITE : CLOSE) && (int32_t)a1 == (marks_by_write ? 1 : MARK)) {
        struct timespec now;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        fprintf(stderr, "instructions %" PRIu64 " ms %lld\n", instructions, now.tv_sec * 1000LL + now.tv_nsec / 1000000);
    }
}

int qemu_plugin_install(uint64_t plugin, const void *info, int argc, char **argv)
{
    (void)info, (void)argv;
    marks_by_write = argc > 0; /* any argument: mark each write to standard output, for programs that are not ours */
    qemu_plugin_register_vcpu_tb_trans_cb(plugin, on_block);
    qemu_plugin_register_vcpu_syscall_cb(plugin, on_call);
    return 0;
}
