/**
 * The template of the section [instrumentation] of config.toml. Each `{{section.key}}` is replaced by the value of this
 * key, written as TOML.
 */
export const INSTRUMENTATION_TEMPLATE = `#######################################################
###       Instrumentation Configuration Options     ###
#######################################################
[instrumentation]

# When true, Prometheus metrics are served under /metrics on
# PrometheusListenAddr.
# Check out the documentation for the list of available metrics.
prometheus = {{instrumentation.prometheus}}

# Address to listen for Prometheus collector(s) connections
prometheus_listen_addr = {{instrumentation.prometheus_listen_addr}}

# Maximum number of simultaneous connections.
# If you want to accept a larger number than the default, make sure
# you increase your OS limits.
# 0 - unlimited.
max_open_connections = {{instrumentation.max_open_connections}}

# Instrumentation namespace
namespace = {{instrumentation.namespace}}
`
