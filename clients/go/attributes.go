package memslot

import (
	"fmt"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"github.com/memslot/memslot/clients/go/where"
)

func attributesOf(messages map[string]*memslotv1.AttributeValue) map[string]any {
	if len(messages) == 0 {
		return nil
	}
	values := make(map[string]any, len(messages))
	for key, message := range messages {
		values[key] = attributeOf(message)
	}
	return values
}

func attributeOf(message *memslotv1.AttributeValue) any {
	switch kind := message.GetKind().(type) {
	case *memslotv1.AttributeValue_StringValue:
		return kind.StringValue
	case *memslotv1.AttributeValue_Int64Value:
		return kind.Int64Value
	case *memslotv1.AttributeValue_DoubleValue:
		return kind.DoubleValue
	case *memslotv1.AttributeValue_BoolValue:
		return kind.BoolValue
	default:
		return nil
	}
}

func attributeMessages(values map[string]any) (map[string]*memslotv1.AttributeValue, error) {
	messages := make(map[string]*memslotv1.AttributeValue, len(values))
	for key, value := range values {
		message, ok := attributeMessage(value)
		if !ok {
			return nil, fmt.Errorf("memslot: attribute %q is of type %T: use a string, an integer, a float or a bool", key, value)
		}
		messages[key] = message
	}
	return messages, nil
}

func attributeMessage(value any) (*memslotv1.AttributeValue, bool) {
	switch value := value.(type) {
	case string:
		return where.Value(value), true
	case int:
		return where.Value(value), true
	case int32:
		return where.Value(value), true
	case int64:
		return where.Value(value), true
	case float32:
		return where.Value(value), true
	case float64:
		return where.Value(value), true
	case bool:
		return where.Value(value), true
	default:
		return nil, false
	}
}
