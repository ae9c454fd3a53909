export const planted = 'a file name that is not in kebab-case'
