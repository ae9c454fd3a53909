import { CodedError } from '@org/runtime/errors'

/** An error of the documentation: a link without a target, a snippet without a file, or a build that failed. */
export class DocsError extends CodedError<'DOCS_DEAD_LINK' | 'DOCS_BUILD_FAILED'> {}
