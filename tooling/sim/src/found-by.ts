/** The network that found each planted bug. */
export const FOUND_BY: Readonly<Record<string, string>> = {}
