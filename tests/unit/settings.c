/* sources: src/job/settings.c src/job/setting_values.c */
/* Settings of each kind: accepted values, and the sentence about others; similar names; the table itself. */
#include "../../src/job/self.h"
#include "../../src/job/settings.h"
#include "../check.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* Keeps the sentence of setting_values.c instead of ending the job. */
static char said[400];
static jmp_buf refused;

void job_fatal(const char *routine, const char *fmt, ...)
{
    (void)routine;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(said, sizeof said, fmt, ap);
    va_end(ap);
    longjmp(refused, 1);
}

/* Only for programs with rights that their caller lacks. */
void job_say(const char *routine, const char *fmt, ...) { (void)routine, (void)fmt; }

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void expect_size(const char *text, size_t bytes)
{
    set("SHMEM_SYMMETRIC_SIZE", text);
    if (setjmp(refused) == 0) {
        const size_t found = setting_size(SETTING_SHMEM_SYMMETRIC_SIZE, 7);
        CHECK(found == bytes, "\"%s\" is %zu bytes, not %zu", text ? text : "(not set)", found, bytes);
    } else {
        CHECK(false, "\"%s\" is refused: %s", text, said);
    }
}

static void expect_no_size(const char *text)
{
    char name[80];
    set("SHMEM_SYMMETRIC_SIZE", text);
    if (setjmp(refused) == 0) {
        const size_t found = setting_size(SETTING_SHMEM_SYMMETRIC_SIZE, 7);
        CHECK(false, "\"%s\" is taken for %zu bytes", text, found);
    } else {
        snprintf(name, sizeof name, "environment variable SHMEM_SYMMETRIC_SIZE is \"%s\", allowed is a number", text);
        CHECK(strncmp(said, name, strlen(name)) == 0, "\"%s\": %s", text, said);
    }
}

static void sizes(void)
{
    expect_size(NULL, 7);
    expect_size("", 7);
    expect_size("1000000", 1000000);
    expect_size("20kk", 20480);
    expect_size("3.1M", 3250586);
    expect_size(".5m", 524288);
    expect_size("7.5", 8);
    expect_size("1t", (size_t)1 << 40);
    expect_size("0", 0);
    expect_size("1e30", (size_t)1 << 62); /* too much, which the code that uses the value reports */
    expect_size("900000000t", (size_t)1 << 62);
    static const char *const wrong[] = {"abc", " ", "-1", "m", "10x", "nan", "inf", "0x10"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_no_size(wrong[i]);
    set("SHMEM_SYMMETRIC_SIZE", NULL);
}

static void choices(void)
{
    static const char *const words[] = {"auto", "thread", "none"};
    set("SHMEM_PROGRESS", NULL);
    CHECK(setting_choice(SETTING_SHMEM_PROGRESS) == 0, "the default is not the first word");
    for (int i = 0; i < 3; i++) {
        set("SHMEM_PROGRESS", words[i]);
        CHECK(setting_choice(SETTING_SHMEM_PROGRESS) == i, "\"%s\" counts as another word", words[i]);
    }
    static const char *const wrong[] = {"or", "thread,", "no", "nonee", "auto, thread or none"};
    for (volatile size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        set("SHMEM_PROGRESS", wrong[i]);
        if (setjmp(refused) == 0)
            CHECK(false, "\"%s\" counts as word %d", wrong[i], setting_choice(SETTING_SHMEM_PROGRESS));
        else
            CHECK(strstr(said, "allowed is auto, thread or none"), "\"%s\": %s", wrong[i], said);
    }
    set("SHMEM_PROGRESS", NULL);
}

static void flags(void)
{
    CHECK(!setting_on(SETTING_SHMEM_DEBUG), "a flag that is not set is on");
    set("SHMEM_DEBUG", "");
    CHECK(!setting_on(SETTING_SHMEM_DEBUG), "an empty flag is on");
    set("SHMEM_DEBUG", "0");
    CHECK(!setting_on(SETTING_SHMEM_DEBUG), "the flag is on with 0");
    static const char *const off[] = {"no", "NO", "off", "False"}, *const on[] = {"1", "yes", "00", "2", "anything"};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        set("SHMEM_DEBUG", off[i]);
        CHECK(!setting_on(SETTING_SHMEM_DEBUG), "the flag is on with %s", off[i]);
    }
    for (size_t i = 0; i < sizeof on / sizeof on[0]; i++) {
        set("SHMEM_DEBUG", on[i]);
        CHECK(setting_on(SETTING_SHMEM_DEBUG), "the flag is off with %s", on[i]);
    }
    set("SHMEM_DEBUG", NULL);
    CHECK(!setting_on(SETTING_COPAL_OUTLIVE) && setting_on(SETTING_COPAL_PMIX_COLLECT),
          "switches that are not set do not have their defaults");
    set("COPAL_OUTLIVE", "1");
    set("COPAL_PMIX_COLLECT", "0");
    CHECK(setting_on(SETTING_COPAL_OUTLIVE) && !setting_on(SETTING_COPAL_PMIX_COLLECT),
          "switches do not have the values that are set");
    set("COPAL_OUTLIVE", "");
    CHECK(!setting_on(SETTING_COPAL_OUTLIVE), "an empty switch does not have its default");
}

/* If both names of a setting are set, the first counts; a message names the one that is set. */
static void twins(void)
{
    set("SMA_PROGRESS", "none");
    CHECK(setting_choice(SETTING_SHMEM_PROGRESS) == 2, "SMA_ is not read");
    set("SHMEM_PROGRESS", "thread");
    CHECK(setting_choice(SETTING_SHMEM_PROGRESS) == 1, "the SMA_ name takes precedence");
    set("SHMEM_PROGRESS", "");
    set("SMA_PROGRESS", "some");
    if (setjmp(refused) == 0)
        CHECK(false, "\"some\" is word %d", setting_choice(SETTING_SHMEM_PROGRESS));
    else
        CHECK(strncmp(said, "environment variable SMA_PROGRESS is \"some\"", 43) == 0, "%s", said);
    set("SMA_PROGRESS", NULL);
}

static void telling(void)
{
    const char *from;
    const char *text = setting_value(SETTING_SHMEM_PROGRESS, &from);
    CHECK(strcmp(text, "auto") == 0 && strcmp(from, "default") == 0, "%s from %s", text, from);
    set("SHMEM_PROGRESS", "none");
    text = setting_value(SETTING_SHMEM_PROGRESS, &from);
    CHECK(strcmp(text, "none") == 0 && strcmp(from, "environment") == 0, "%s from %s", text, from);
    static const struct {
        size_t bytes;
        const char *text;
    } sizes[] = {{0, "0"}, {1000, "1000"}, {65536, "64k"}, {(size_t)7 << 20, "7m"},
                 {(size_t)3 << 40, "3t"}, {(size_t)1 << 50, "1024t"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        setting_note_size(SETTING_SHMEM_SYMMETRIC_SIZE, "a test", sizes[i].bytes);
        text = setting_value(SETTING_SHMEM_SYMMETRIC_SIZE, &from);
        CHECK(strcmp(text, sizes[i].text) == 0 && strcmp(from, "a test") == 0, "%zu bytes: %s", sizes[i].bytes, text);
    }
}

static void distances(void)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } known[] = {{"", "", 0}, {"SHMEM_INFO", "SHMEM_INFO", 0}, {"SHMEM_INF", "SHMEM_INFO", 1},
                 {"SHMEM_INFOS", "SHMEM_INFO", 1},
                 {"SHMEM_DEBGU", "SHMEM_DEBUG", 2}, {"kitten", "sitting", 3}, {"", "abc", 3}, {"abc", "", 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(setting_distance(known[i].a, known[i].b) == known[i].distance, "%s, %s: %u", known[i].a, known[i].b,
              setting_distance(known[i].a, known[i].b));
}

/* The texts for users: sentences are complete, and a choice's default is one of its words. */
static void row(enum setting s)
{
    const struct setting_row *r = &settings[s];
    const size_t end = strlen(r->help);
    CHECK(isupper((unsigned char)r->help[0]) && r->help[end - 1] == '.', "%s: \"%s\"", r->name, r->help);
    CHECK(strlen(r->name) < SETTING_NAME_BYTES, "%s is too long", r->name);
    set(r->name, NULL);
    if (r->kind != SETTING_CHOICE)
        return;
    if (setjmp(refused) == 0)
        setting_choice(s);
    else
        CHECK(false, "%s: %s", r->name, said);
}

int main(void)
{
    sizes();
    choices();
    flags();
    twins();
    telling();
    distances();
    for (int s = 0; s < SETTINGS; s++)
        row((enum setting)s);
    return check_result();
}
