package main

import "strings"

// model stands for a language model: a script that answers to what its prompt says, and to nothing else.
func model(prompt []message) string {
	asked, shown := "", ""
	for _, one := range prompt {
		if one.Role == "user" && strings.HasSuffix(one.Content, "?") || strings.HasPrefix(one.Content, "Hello") {
			asked = one.Content
		}
		if _, behind, found := strings.Cut(one.Content, "[memslot begin"); found {
			shown = behind
		}
	}
	switch {
	case strings.Contains(asked, "My name is"):
		_, name, _ := strings.Cut(asked, "My name is ")
		return `Nice to meet you! {"action":"mem_write","slot":"user_name","value":"` + strings.TrimSuffix(name, ".") + `"}`
	case strings.Contains(asked, "my name") && strings.Contains(shown, "user_name"):
		return "Of course: you are " + lineBehindDelimiter(shown) + "."
	case strings.Contains(asked, "my name"):
		return `{"action":"mem_read","slot":"user_name"}`
	default:
		return "About 384,400 kilometres."
	}
}

// lineBehindDelimiter is the first line of what an injection shows.
func lineBehindDelimiter(shown string) string {
	_, body, _ := strings.Cut(shown, "]\n")
	line, _, _ := strings.Cut(body, "\n")
	return line
}
