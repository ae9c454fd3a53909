import { linkTo, route } from '../route.ts'

/** The screen for an address that names no screen of this page. */
export function Missing() {
  return (
    <>
      <h1>Not found</h1>
      <p>
        This page has no screen with the name “{route.value.screen.slice(0, 60)}”.{' '}
        <a href={linkTo('')}>To the overview</a>
      </p>
    </>
  )
}
