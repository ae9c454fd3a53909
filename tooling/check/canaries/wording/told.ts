/** The heights that the peer told. */
export const heights: number[] = []
