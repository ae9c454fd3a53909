// Who waits here is answered when the block is stored.
export const waiting: string[] = []
