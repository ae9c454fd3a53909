export { createServiceGroup, type Service } from './service.ts'
