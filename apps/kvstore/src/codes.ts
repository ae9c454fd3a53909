/** The result codes of transactions, as in the reference's example applications. */
export const CODE = { ok: 0, invalidFormat: 2 } as const

/** The version that the application reports as its own. */
export const APP_VERSION = 1n
