/* sources: tools/races/block.c */
/* The race detector's list of allocated blocks. */
#include "../../tools/races/block.h"
#include "../check.h"

static char heap[1024];

static uint32_t site_at(size_t i)
{
    return block_around(heap + i).site;
}

/* If a block's release was not reported, the next block at its address implies the release. */
static void test_place_used_again(void)
{
    for (uint32_t site = 1; site < 1000; site++)
        block_add(heap, 64, site);
    CHECK(site_at(0) == 999 && site_at(63) == 999, "the block of site %u", site_at(0));
    CHECK(block_remove(heap).site == 999, "the newest block is not removed");
    CHECK(block_remove(heap).bytes == 0 && site_at(0) == 0, "a block of site %u is left", site_at(0));
}

static void test_overlap(void)
{
    for (uint32_t site = 1; site <= 4; site++)
        block_add(heap + 64 * site, 64, site);
    block_add(heap + 160, 64, 5); /* of the second and the third */
    CHECK(site_at(64) == 1 && site_at(127) == 1 && site_at(256) == 4, "a neighbouring block has been removed");
    CHECK(site_at(128) == 0 && site_at(160) == 5 && site_at(223) == 5 && site_at(224) == 0,
          "an overlapped block is left");
    block_add(heap + 256, 0, 6);
    CHECK(site_at(256) == 4, "a block of no bytes has removed another");
    CHECK(block_remove(heap + 64).site == 1 && block_remove(heap + 160).site == 5,
          "a block is not removed by its address");
    CHECK(block_remove(heap + 128).bytes == 0, "an overlapped block can still be removed");
}

int main(void)
{
    test_place_used_again();
    test_overlap();
    return check_result();
}
