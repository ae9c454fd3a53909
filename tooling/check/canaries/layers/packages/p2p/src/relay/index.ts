export const planted = 'a folder without a rule'
