export { NonEmptyValidatorSet, SimpleValidator, Validator, ValidatorSet } from './wire.ts'
