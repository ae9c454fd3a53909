/** A longer `Accept-Encoding` header is ignored: the file is sent as it is. */
const MAX_HEADER = 1024

/** Whether `Accept-Encoding` names gzip, with a weight above zero. */
export function acceptedGzip(header: string | undefined): boolean {
  if (header === undefined || header.length > MAX_HEADER) return false
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.toLowerCase().split(';')
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter.trim()))
    return name.trim() === 'gzip' && !isRefused
  })
}
