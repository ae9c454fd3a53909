export const line = 'The peer told this node its height'
