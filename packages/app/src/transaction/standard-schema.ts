import { APP_ERRORS, AppError } from '../errors.ts'

/*
 * The interface of Standard Schema, version 1 (https://standardschema.dev), which zod, valibot and arktype implement.
 * The specification permits that a project copies the types, so no package is needed.
 */

/** A schema of a library that implements Standard Schema, such as zod, valibot or arktype. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The result of a validation: the accepted value, or the reasons why the value is refused. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** A reason why a schema refuses a value, as Standard Schema defines it. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type of the values that a schema accepts. */
export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']
/** The type of the values that a schema returns. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/** The maximum number of issues in one message. */
const MAX_ISSUES = 5

function describeIssue({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`
}

/** Returns true for a promise, and for each other object with a method `then`. */
const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'

/**
 * Throws an {@link AppError} with `message` if the value is a promise. If the promise is rejected later, the rejection
 * has no effect; otherwise, the rejection would end the process.
 */
export function refusePromise<T>(value: T, message: string): asserts value is Exclude<T, PromiseLike<unknown>> {
  if (!isPromise(value)) return
  value.then(undefined, () => undefined)
  throw new AppError(APP_ERRORS.option, message)
}

/**
 * Returns the value that the schema made, or the issues as one line. Throws an {@link AppError} if the schema returns a
 * promise.
 */
export function validate<T>(
  schema: StandardSchema<unknown, T>,
  value: unknown,
): { readonly value: T } | { readonly fault: string } {
  const result = schema['~standard'].validate(value)
  refusePromise(
    result,
    'a schema returned a promise: use a schema without asynchronous checks, because every node must get the same result',
  )
  if (result.issues === undefined) return { value: result.value }
  return { fault: result.issues.slice(0, MAX_ISSUES).map(describeIssue).join('; ') }
}

/** Throws an {@link AppError} (`APP_BAD_OPTION`) unless the value is a schema. */
export function checkSchema(schema: unknown, what: string): void {
  const standard = (schema as StandardSchema | undefined)?.['~standard']
  if (typeof standard?.validate === 'function') return
  const message = `${what} needs a schema of Standard Schema (zod 3.24, valibot 1, arktype 2 or newer): an object with ~standard`
  throw new AppError(APP_ERRORS.option, message)
}
