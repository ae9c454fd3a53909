/**
 * Returns a function that gives all its callers the result of one call of `load`, which begins at the first call. If
 * `load` fails, for example because too many files are open, or if `mayKeep` refuses its result, the next call runs
 * `load` again.
 */
export function loadOnce<T>(load: () => Promise<T>, mayKeep: (result: T) => boolean = () => true): () => Promise<T> {
  let loading: Promise<T> | undefined
  const forget = (): void => {
    loading = undefined
  }
  return () => {
    if (loading === undefined) {
      loading = load()
      loading.then((result) => {
        if (!mayKeep(result)) forget()
      }, forget)
    }
    return loading
  }
}
