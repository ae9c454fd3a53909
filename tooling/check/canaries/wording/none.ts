/** A key that is none. */
export const key = ''
