import '../driver/index.ts'

export const planted = 'a log that uses consensus'
