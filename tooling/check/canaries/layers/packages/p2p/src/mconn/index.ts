import 'node:net'

export const planted = 'a multiplexer that opens sockets'
