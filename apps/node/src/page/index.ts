export { createOpenPage, type OpenPage } from './open-page.ts'
