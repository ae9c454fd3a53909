kill "$(cat simd.pid)"; while kill -0 "$(cat simd.pid)" 2>/dev/null; do sleep 0.1; done
rm -rf ~/.simapp/data && cp -r ~/.simapp-first/data ~/.simapp/data
simd start --with-comet=false > simd.log 2>&1 & echo $! > simd.pid
