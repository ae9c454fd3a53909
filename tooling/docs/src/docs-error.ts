import { CodedError } from '@org/runtime/errors'

/** A fault of the documentation: a link without a target, a snippet without a file, a build that failed. */
export class DocsError extends CodedError<'DOCS_DEAD_LINK' | 'DOCS_BUILD_FAILED'> {}
