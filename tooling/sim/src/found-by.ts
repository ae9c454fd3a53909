/** The seed of the network that found each planted bug. */
export const FOUND_BY: Readonly<Record<string, number>> = {}
