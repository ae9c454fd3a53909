export { checkName, createProject } from './create-project.ts'
export { CREATE_ERRORS, CreateError, type CreateErrorCode } from './errors.ts'
