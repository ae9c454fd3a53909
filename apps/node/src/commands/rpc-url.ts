/** Returns the URL of the RPC at an address that a person wrote, such as `host:26657` or `tcp://host:26657`. */
export const rpcUrl = (address: string): string =>
  address.includes('://') ? address.replace(/^tcp:\/\//, 'http://') : `http://${address}`
