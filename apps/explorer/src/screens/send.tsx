import { QueryForm } from '../send/query-form.tsx'
import { SendForm } from '../send/send-form.tsx'

/** Shows the forms that send a transaction, and that query the application. */
export function Send() {
  return (
    <>
      <h1>Send and query</h1>
      <div class="columns">
        <SendForm />
        <QueryForm />
      </div>
    </>
  )
}
