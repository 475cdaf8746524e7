#!/bin/sh
# Installs what the browser tests need beside Python: Chromium and a font with Hangul. Without the right to install, the tests say why
# they are skipped.
if command -v chromium >/dev/null 2>&1 && fc-list :lang=ko 2>/dev/null | grep -q .; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Chromium is not installed and there is no apt-get: browser tests will be skipped."
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "Chromium is not installed and this user may not install it: browser tests will be skipped."
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq >/dev/null 2>&1
$as_root apt-get install -y -qq --no-install-recommends chromium fontconfig fonts-noto-cjk >/dev/null 2>&1 ||
    echo "Chromium could not be installed: browser tests will be skipped."
exit 0
