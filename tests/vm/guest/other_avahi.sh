#!/bin/sh
# Puts a second machine with the name $1 into the network: a name space with an avahi of its own, behind a cable.
# This machine's own avahi comes to the network after it.
set -eu
systemctl stop avahi-daemon.socket avahi-daemon.service
ip netns add other
ip link add cable type veth peer name eth0 netns other
ip address add 10.9.0.1/24 dev cable
ip netns exec other ip address add 10.9.0.2/24 dev eth0
ip netns exec other ip link set lo up
ip netns exec other ip link set eth0 up
ip link set cable up
printf '[server]\nhost-name=%s\nenable-dbus=no\nuse-ipv6=no\n' "$1" >/run/other.conf
# shellcheck disable=SC2016 # expanded by the inner shell
ip netns exec other unshare --mount sh -c '
  mount -t tmpfs run /run/avahi-daemon
  chown avahi:avahi /run/avahi-daemon
  avahi-daemon --daemonize --file=/run/other.conf'
sleep 10 # until it has asked the network for its name
systemctl start avahi-daemon.socket avahi-daemon.service
