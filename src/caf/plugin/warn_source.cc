/* The source text of a statement, for properties that the compiler's trees have lost: substrings, stat=, team=. */
#include "warn.h"
#include <regex.h>

struct source_file {
    std::vector<std::string> lines;    /* from 1 */
    bool fixed;
};

/* A pattern is a literal. Compiling a pattern takes longer than finding the compiled one. */
bool matches(const std::string &text, const char *pattern)
{
    static std::map<const char *, regex_t> all;
    auto known = all.find(pattern);
    if (known == all.end()) {
        regex_t compiled;
        if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB))
            return false;
        known = all.emplace(pattern, compiled).first;
    }
    return regexec(&known->second, text.c_str(), 0, NULL, 0) == 0;
}

static const source_file &file_of(const char *name)
{
    static std::map<std::string, source_file> files;
    auto found = files.find(name);
    if (found != files.end())
        return found->second;
    source_file &file = files[name];
    file.fixed = matches(name, "\\.([fF]|for|FOR|ftn|FTN|fpp|FPP)$");
    file.lines.emplace_back();
    if (FILE *in = fopen(name, "r")) {
        file.lines.emplace_back();
        for (int c; (c = getc(in)) != EOF;)
            if (c == '\n')
                file.lines.emplace_back();
            else
                file.lines.back() += c;
        fclose(in);
    }
    return file;
}

/* A line in lower case without comments and blanks, with empty strings. */
static std::string code(const source_file &file, size_t line)
{
    std::string text = file.lines[line], out;
    if (text[0] == '#' || (file.fixed && matches(text, "^[cC*dD]")))
        return "";
    char quote = 0;
    for (size_t at = file.fixed ? 6 : 0; at < text.size(); at++) {
        char c = text[at];
        if (quote) {
            if (c == quote)
                quote = 0;
        } else if (c == '!')
            break;
        else if (c == '\'' || c == '"') {
            quote = c;
            out += "''";
        } else if (!ISSPACE(c))
            out += TOLOWER(c);
    }
    return out;
}

static bool is_continued(const source_file &file, size_t line)
{
    size_t lines = file.lines.size();
    if (file.fixed) {
        size_t next = line + 1;
        while (next + 1 < lines && code(file, next).empty())
            next++;
        return next < lines && matches(file.lines[next], "^     [^ 0]");
    }
    std::string text = code(file, line);
    if (text.empty())
        return line > 1 && line + 1 < lines && is_continued(file, line - 1);
    return text.back() == '&';
}

/* The position at which the bracket at `at`, or the first one after it, is closed. */
static size_t closing(const std::string &text, size_t at)
{
    for (int depth = 0; at < text.size(); at++) {
        if (strchr("([", text[at]))
            depth++;
        else if (strchr(")]", text[at]) && --depth == 0)
            return at;
    }
    return text.size();
}

/* Finds the first coindexed statement in a line with several. */
static void split(source_statement &statement)
{
    std::string text = statement.text;
    for (size_t at; (at = text.find(';')) != std::string::npos && text.find('[') > at;)
        text = text.substr(at + 1);
    text = text.substr(0, text.find(';'));
    text.erase(0, text.find_first_not_of("0123456789"));    /* a label */
    if (begins(text, "if(")) {
        size_t end = closing(text, 2);
        text = end < text.size() ? text.substr(end + 1) : "";
    }
    statement.right = text;
    for (size_t at = 0; at < text.size(); at++)
        if (text[at] == '(' || text[at] == '[')
            at = closing(text, at);
        else if (text[at] == '=' && (at + 1 == text.size() || !strchr("=>", text[at + 1]))) {
            statement.left = text.substr(0, at);
            statement.right = text.substr(at + 1);
            return;
        }
}

/* The statement that the line is a part of. */
static std::string text_at(const source_file &file, size_t line)
{
    std::string text;
    while (line > 1 && is_continued(file, line - 1))
        line--;
    for (bool more = true; more && line < file.lines.size(); line++) {
        std::string part = code(file, line);
        more = is_continued(file, line);
        if (!part.empty() && part[0] == '&')
            part.erase(0, 1);
        if (!part.empty() && part.back() == '&')
            part.pop_back();
        text += part;
    }
    return text;
}

source_statement statement_at(location_t place)
{
    source_statement statement;
    expanded_location at = expand_location(place);
    if (!at.file)
        return statement;
    const source_file &file = file_of(at.file);
    if (at.line < 1 || (size_t)at.line >= file.lines.size())
        return statement;
    statement.text = text_at(file, at.line);
    split(statement);
    return statement;
}

/* [ after a name or subscripts; [*] after an object that is allocated, too. */
static bool is_image_selector(const std::string &text, size_t at)
{
    return text[at] == '[' && at && (ISALNUM(text[at - 1]) || strchr("_)", text[at - 1]));
}

/* The next bracket of the object whose bracket is at `at`, as in y(1)%v(2)[3]%w(4); otherwise the text's size. */
static size_t next_bracket(const std::string &text, size_t at)
{
    at = closing(text, at) + 1;
    if (at < text.size() && text[at] == '%')
        at = text.find_first_not_of("%_abcdefghijklmnopqrstuvwxyz0123456789", at);
    return at < text.size() && strchr("([", text[at]) ? at : text.size();
}

/* Whether a coindexed object selects a part or the image of another, or is a bound of a coarray: y(x[2])[1],
 * y(1)[x[2]], o[1]%v(x[2]), allocate (z(x[2])[*]). */
bool has_nested_image(std::string text)
{
    std::vector<size_t> open;
    std::map<size_t, bool> coindexed; /* by bracket */
    for (size_t at = 0; at < text.size(); at++) {
        if (strchr(")]", text[at]) && !open.empty())
            open.pop_back();
        if (!strchr("([", text[at]))
            continue;
        size_t end = closing(text, at);
        if (end < text.size() && matches(text.substr(0, at), "(^|[;)])[0-9]*(write|inquire)$"))
            text.insert(end + 1, ","); /* before an array */
        if (!coindexed.count(at)) {
            bool is_coindexed = false;
            for (size_t other = at; other < text.size(); other = next_bracket(text, other))
                is_coindexed |= is_image_selector(text, other);
            for (size_t other = at; other < text.size(); other = next_bracket(text, other))
                coindexed[other] = is_coindexed;
        }
        for (size_t outer : open)
            if (coindexed[outer] && is_image_selector(text, at))
                return true;
        open.push_back(at);
    }
    return false;
}

bool has_image(const std::string &text, bool within)
{
    int depth = 0;
    for (size_t at = 0; at < text.size(); at++) {
        if ((depth > 0) == within && is_image_selector(text, at))
            return true;
        depth += strchr("([", text[at]) ? 1 : strchr(")]", text[at]) ? -1 : 0;
    }
    return false;
}

/* Whether the text is a variable or a part of one, which may be coindexed. */
bool is_variable(const std::string &text)
{
    for (size_t at = 0; at < text.size(); at++)
        if (strchr("([", text[at]) && at) {
            at = closing(text, at);
            if (at + 1 < text.size() && !strchr("([%", text[at + 1]))
                return false;
        } else if (!ISALNUM(text[at]) && !strchr("_%", text[at]))
            return false;
    return !text.empty() && ISALPHA(text[0]);
}

/* Whether it declares something: it has "::" outside of brackets. */
static bool is_declaration(const std::string &text)
{
    for (size_t at = 0; at + 1 < text.size(); at++)
        if (strchr("([", text[at]))
            at = closing(text, at);
        else if (text[at] == ':' && text[at + 1] == ':')
            return true;
    return false;
}

/* The lines, from a line on, whose statements have a coindexed object in a specification expression. Lines between #if
 * and #endif may belong to another program. */
std::vector<int> lines_that_specify_by_image(const char *name, int first)
{
    const source_file &file = file_of(name);
    std::vector<int> found;
    int conditions = 0;
    for (size_t line = first; line < file.lines.size(); line++) {
        if (file.lines[line].find('#') != std::string::npos)
            conditions += matches(file.lines[line], "^ *# *if") ? 1 : matches(file.lines[line], "^ *# *endif") ? -1 : 0;
        if (conditions || file.lines[line].find('[') == std::string::npos)
            continue;
        std::string text = text_at(file, line);
        if (is_declaration(text) ? has_image(text, true)
                                 : matches(text, "allocate\\(character\\([^]:]*[a-z0-9_)]\\[[^*]*\\)::"))
            found.push_back((int)line);
    }
    return found;
}

/* Whether it is an array element or section with several subscripts. */
bool has_subscripts(const std::string &text)
{
    size_t at = text.find('(');
    if (!matches(text, "^[a-z][a-z0-9_%]*\\(") || closing(text, at) + 1 != text.size())
        return false;
    for (at++; at < text.size() && text[at] != ','; at++)
        if (text[at] == '(' || text[at] == '[')
            at = closing(text, at);
    return at < text.size();
}

/* The length of a substring: 4 for "...](2:5)"; otherwise 0. */
int substring_length(const std::string &text)
{
    int first, last;
    if (!matches(text, "\\]\\([0-9]+:[0-9]+\\)$"))
        return 0;
    return sscanf(text.c_str() + text.rfind('('), "(%d:%d)", &first, &last) == 2 ? last - first + 1 : 0;
}
