export { createOpenApiDocument, type OpenApiOptions } from './document.ts'
