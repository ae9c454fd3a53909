import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step, StepResult } from './step.ts'

/** The maximum number of characters in the subject of a commit. Tools cut longer subjects. */
const MAX_SUBJECT = 72
/** The branch whose commits are published already. Their subjects cannot be changed. */
const PUBLISHED = 'origin/main'

/**
 * Returns a fault for each commit whose subject is too long. Each line of `log` has the short hash of a commit, a tab
 * and the subject.
 */
function longSubjects(log: string): StepResult {
  const faults = log.split('\n').flatMap((line) => {
    const [hash = '', subject = ''] = line.split('\t')
    if (subject.length <= MAX_SUBJECT) return []
    return [`${hash}: the subject has ${subject.length} characters, at most ${MAX_SUBJECT}: put details into the body`]
  })
  return { ok: faults.length === 0, output: faults.join('\n') }
}

/**
 * Returns the commits that are not published, in the form that {@link longSubjects} reads. Returns no commit if the
 * folder is not a clone with a published branch, for example an unpacked archive.
 */
function unpublishedCommits(root: string): string {
  const args = ['log', '--no-merges', '--format=%h%x09%s', `${PUBLISHED}..HEAD`]
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout : ''
}

export const COMMITS_STEP: Step = {
  name: 'commits',
  guards: 'refuses long subjects of commits that are not published',
  run: (root) => longSubjects(unpublishedCommits(root)),
  canary: (root) => longSubjects(readFileSync(join(root, 'tooling/check/canaries/commits/log.txt'), 'utf8')),
}
