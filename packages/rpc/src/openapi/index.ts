export { createOpenApiDocument, type OpenApiOptions } from './document.ts'
export { createOpenRpcDocument } from './openrpc.ts'
