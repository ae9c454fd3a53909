export { foldersWithEntries, publishedFolders } from './published-packages.ts'
