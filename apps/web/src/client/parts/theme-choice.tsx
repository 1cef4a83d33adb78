import { type ReactElement, useEffect, useState } from 'react'
import { useMessages } from '../messages/use-messages.ts'

const KEY = 'oikos.theme'
const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

function remembered(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === value) ?? 'system'
  } catch {
    return 'system'
  }
}

/** The visitor's choice of theme, kept in this browser. */
export function ThemeChoice(): ReactElement {
  const { theme: words } = useMessages()
  const [theme, setTheme] = useState(remembered)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // a browser that keeps nothing shows the theme of the system next time
    }
  }, [theme])
  return (
    <label>
      <span className="unseen">{words.label}</span>
      <select
        value={theme}
        onChange={({ target }) => setTheme(THEMES.find((name) => name === target.value) ?? 'system')}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {words[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
