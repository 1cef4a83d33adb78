import type { ReactElement } from 'react'
import Markdown from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import { plainLine } from './plain.ts'

/** No images, no forms, no ids that could collide with ours: text, lists, tables, code and links. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (tag) => !['img', 'input', 'picture', 'source', 'details', 'summary'].includes(tag),
  ),
  attributes: { a: ['href'], code: [], '*': [] },
  protocols: { href: ['http', 'https'] },
  clobberPrefix: 'said-',
}

/**
 * A stranger's Markdown: sanitised, without images, and with links that show where they lead and tell the other side nothing.
 * Headings are lowered below those of the page.
 */
export function StrangerMarkdown({ text }: { text: string }): ReactElement {
  return (
    <div className="markdown">
      <Markdown
        rehypePlugins={[[rehypeSanitize, SCHEMA]]}
        skipHtml
        components={{
          h1: ({ children }) => <h4>{children}</h4>,
          h2: ({ children }) => <h5>{children}</h5>,
          h3: ({ children }) => <h6>{children}</h6>,
          img: () => null,
          a: ({ href, children }) =>
            href === undefined ? (
              <span>{children}</span>
            ) : (
              <>
                <a href={href} target="_blank" rel="noopener noreferrer nofollow external" referrerPolicy="no-referrer">
                  {children}
                </a>{' '}
                <small className="soft">({plainLine(href, 60)})</small>
              </>
            ),
        }}
      >
        {text}
      </Markdown>
    </div>
  )
}
