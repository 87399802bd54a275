/* man: start_pes */
/* run: oshrun -n 2 ./start_pes */
/* prints: PE 0 of 2 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    start_pes(0);
    int *numbers = shmalloc(10 * sizeof *numbers);
    if (_my_pe() == 0 && numbers)
        printf("PE %d of %d\n", _my_pe(), _num_pes());
    shfree(numbers);
}
