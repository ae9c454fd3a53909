export { type ClosableDatabase, createDatabaseCloser, type DatabaseCloser } from './database-closer.ts'
