/**
 * Returns the anchor of a heading in the form of GitHub, so that the same link works in the repository and on the site.
 */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
