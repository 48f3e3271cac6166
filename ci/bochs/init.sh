#!/busybox sh
# The only process of an emulated PC. It runs the test program /tests for each line of /runs, and then
# turns the PC off. A line has a number N (one in N inputs of the large sets runs), and a part of the
# names of the tests. The last line of the output is "exit status of all: " with 0 or the exit status
# of the last run that failed.

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
# The serial port needs time to send the last line.
/busybox sleep 1
/busybox poweroff -f
