/** The maximum length of an `Accept-Encoding` header. With a longer header, the file is sent uncompressed. */
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
