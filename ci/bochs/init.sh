#!/busybox sh
# The only process of an emulated PC: runs the test program /tests for each line of /runs, which is
# a number, the share of the large sets of inputs, and a part of the names of the tests; and turns
# the PC off. The last line that it prints is "exit status of all: " and 0, or the exit status of
# the last run that failed.

/busybox mount -t proc proc /proc
/busybox mount -t sysfs sysfs /sys
/busybox mount -t devtmpfs devtmpfs /dev
. /environment
cd /tmp
status=0
while read -r share filter; do
    echo "=== $filter, one in $share of the large sets"
    if UTFLANE_TEST_SHARE=$share /tests "$filter" </dev/null; then continue; else status=$?; fi
    echo "=== $filter failed with $status"
done </runs
echo "exit status of all: $status"
# Until the serial line has sent that.
/busybox sleep 1
/busybox poweroff -f
