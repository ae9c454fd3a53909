/** Starts the round anew. */
export const round = 0
