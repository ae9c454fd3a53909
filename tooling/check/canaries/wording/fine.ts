/** The heights that the peer reported. What is a height? The number of a block. */
export const heights: string[] = ['Who waits here? // Of no one, nobody']
