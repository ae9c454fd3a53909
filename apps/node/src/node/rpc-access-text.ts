/** Returns a text that says which web pages may use the RPC of a devnet. */
export function rpcAccessText({ corsAllowedOrigins }: { readonly corsAllowedOrigins: readonly string[] }): string {
  if (corsAllowedOrigins.includes('*'))
    return 'every web page in a browser on this machine may use the RPC (intended for development)'
  return corsAllowedOrigins.length === 0
    ? 'no web page of another site may use the RPC'
    : `web pages of ${corsAllowedOrigins.join(', ')} may use the RPC`
}
