export const deferred = (): PromiseWithResolvers<number> => Promise.withResolvers<number>()
